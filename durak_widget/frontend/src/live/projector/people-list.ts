/** The list of students: who is here and who has answered. For the teacher only. */

import { button, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import type { Words } from "../words";
import type { Command, Person, RoomState } from "./protocol";

interface Row {
  readonly element: HTMLTableRowElement;
  readonly name: HTMLElement;
  readonly state: HTMLElement;
  readonly points: HTMLElement;
  readonly actions: HTMLElement;
}

export class PeopleList {
  readonly root = make("table", "dk-live-people");
  private readonly head = make("tr", "");
  private readonly body = make("tbody", "");
  private readonly rows = new Map<number, Row>();
  /** The seat whose name is being changed. */
  private edited: number | undefined;
  private order: "name" | "points" = "name";
  private state: RoomState | undefined;

  constructor(
    private readonly send: (command: Command) => Promise<boolean>,
    private readonly confirm: (question: string, note: string, yes: string) => Promise<boolean>,
    private readonly getWords: () => Words,
  ) {
    this.root.append(make("thead", "", {}, this.head), this.body);
  }

  paint(state: RoomState, words: Words): void {
    this.state = state;
    const { people, phase, language } = state;
    if (hasChanged(this.head, words.language, words.say("people.name"), this.order))
      this.head.replaceChildren(
        this.drawHead("name", words),
        make("th", "", { scope: "col" }, words.say("people.state")),
        this.drawHead("points", words),
        make("th", "", { scope: "col" }, make("span", "dk-sr-only", {}, words.say("people.change"))),
      );
    const byName = (a: Person, b: Person): number => a.name.localeCompare(b.name, language, { numeric: true }) || a.seat - b.seat;
    const byPoints = (a: Person, b: Person): number => (b.score ?? -Infinity) - (a.score ?? -Infinity) || byName(a, b);
    const sorted = [...people].sort(this.order === "name" ? byName : byPoints);
    const seats = new Set(sorted.map(({ seat }) => seat));
    for (const [seat, { element }] of this.rows)
      if (!seats.has(seat)) {
        element.remove();
        this.rows.delete(seat);
      }
    let place: ChildNode | null = this.body.firstChild;
    for (const person of sorted) {
      const row = this.rows.get(person.seat) ?? this.addRow(person.seat);
      if (row.element === place) place = place.nextSibling;
      else this.body.insertBefore(row.element, place);
      this.paintRow(row, person, phase, words);
    }
  }

  /** The head of a column that sorts the list. */
  private drawHead(key: "name" | "points", words: Words): HTMLElement {
    const label = words.say(`people.${key}`);
    const isSorted = this.order === key;
    const sort = button("dk-live-sort", `${label}${isSorted ? (key === "name" ? " ↑" : " ↓") : ""}`, {
      "aria-label": words.say("people.sort", { column: label }),
      "data-sort": key,
    });
    sort.addEventListener("click", () => {
      this.order = key;
      if (this.state) this.paint(this.state, this.getWords());
      this.head.querySelector<HTMLElement>(`[data-sort="${key}"]`)?.focus();
    });
    return make("th", "", { scope: "col", "aria-sort": isSorted ? (key === "name" ? "ascending" : "descending") : undefined }, sort);
  }

  private addRow(seat: number): Row {
    const [name, state, points, actions] = [make("td", ""), make("td", ""), make("td", ""), make("td", "")];
    const row = { element: make("tr", "", { "data-seat": seat }, name, state, points, actions), name, state, points, actions };
    this.rows.set(seat, row);
    return row;
  }

  private paintRow(row: Row, person: Person, phase: string, words: Words): void {
    const { seat, here, answered, simulated, role } = person;
    const asks = phase !== "lobby" && phase !== "ended";
    const state = !asks ? "" : answered ? "answered" : here ? "waiting" : "away";
    setAttributes(row.element, { "data-state": state || undefined, "data-away": !here });
    setText(row.state, state && words.say(`people.${state}`));
    setText(row.points, person.points ?? "");
    if (this.edited === seat) return;
    if (hasChanged(row.name, person.name, simulated, here, state, role, words.language)) {
      const notes = [simulated ? "simulated" : "", here || state === "away" ? "" : "away"].filter(Boolean);
      const note = [...(role ? [role] : []), ...notes.map((key) => words.say(`people.${key}`))].join(", ");
      row.name.replaceChildren(person.name, ...(note ? [make("small", "dk-live-quiet", {}, ` ${note}`)] : []));
    }
    if (!hasChanged(row.actions, person.name, simulated, words.language)) return;
    const rename = button("dk-live-icon", "✎", {
      "aria-label": words.say("rename", { name: person.name }),
      title: words.say("rename.yes"),
    });
    const remove = button("dk-live-icon", "✕", {
      "aria-label": words.say("remove", { name: person.name }),
      title: words.say("remove.yes"),
    });
    rename.addEventListener("click", () => this.edit(row, person));
    remove.addEventListener("click", () => void this.remove(person));
    row.actions.replaceChildren(rename, remove);
  }

  private async remove({ seat, name }: Person): Promise<void> {
    const words = this.getWords();
    if (await this.confirm(words.say("remove.ask", { name }), words.say("remove.note"), words.say("remove.yes")))
      await this.send({ do: "remove", seat });
  }

  /** Replace a name by a field. The list leaves this row alone until the field is closed. */
  private edit(row: Row, { seat, name }: Person): void {
    const words = this.getWords();
    this.edited = seat;
    const field = make("input", "", { type: "text", value: name, maxlength: 40, "aria-label": words.say("rename.label") });
    const close = (): void => {
      if (this.edited !== seat) return;
      this.edited = undefined;
      const hadFocus = row.name.contains(document.activeElement) || row.name.matches(":focus-within");
      row.name.replaceChildren(name);
      hasChanged(row.name, null); // painted again with the next state
      if (hadFocus) row.actions.querySelector("button")?.focus();
    };
    const form = make("form", "", {}, field, button("", words.say("rename.yes"), { type: "submit" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = field.value.trim();
      close();
      if (wanted && wanted !== name) void this.send({ do: "rename", seat, name: wanted });
    });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation(); // notebooks have keyboard shortcuts
      if (event.key === "Escape") close();
    });
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
    });
    row.name.replaceChildren(form);
    field.focus();
    field.select();
  }
}
