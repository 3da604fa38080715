/** An exercise at the door to the notebook. */

import { widget } from "../widgets/widget-host";
import type { Sheet } from "./exercise-kinds";
import { ExerciseView } from "./exercise-view";

export default widget((door) => {
  const exercise = new ExerciseView(
    () => door.get<Sheet>("sheet"),
    () => door.words,
    (answer) => door.send(answer),
  );
  door.on("change:words", () => exercise.paint());
  door.on("change:sheet", () => {
    exercise.paint();
    door.shown();
  });
  door.on("msg:custom", ({ said }: { said: string }) => exercise.tell(said));
  return exercise;
});
