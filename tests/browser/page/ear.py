"""An ear at a page: it hears what a screen reader says that takes the browser's own accessibility tree at its word."""

from __future__ import annotations

from typing import Any, NamedTuple

# Whenever something comes into what may be a live region: how many words came, and how many then stand in it.
LISTEN = """() => {
  const words = (nodes) => nodes.reduce((sum, node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    let count = 0;
    for (let text = texts.currentNode; text; text = texts.nextNode()) if (text.nodeType === 3) count += text.data.split(/\\s+/).filter(Boolean).length;
    return sum + count;
  }, 0);
  window.aloud = new Map();
  for (const region of document.querySelectorAll('[role=status], [role=alert], [role=log], [aria-live]')) {
    const heard = { came: 0, stands: 0 };
    window.aloud.set(region, heard);
    new MutationObserver((all) => {
      const came = all.flatMap(({ type, target, addedNodes }) => type === 'childList' ? [...addedNodes] : [target]).filter((one) => region.contains(one));
      if (!came.length) return;
      heard.came += words([...new Set(came)]);
      heard.stands += words([region]);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""
HEARD = "function (atomic) { const { came, stands } = window.aloud.get(this); return [this.className, came, atomic ? stands : came]; }"


class Heard(NamedTuple):
    """How many words were announced, and how many of them and of older ones are read."""

    said: int
    read: int


class Ear:
    """Hears every live region that is on the page now."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate(LISTEN)

    def heard(self) -> dict[str, Heard]:
        """What was heard so far, by the class of the region; which are live, and which are read as a whole, the tree says.

        It is asked for at the end, when what was empty at first stands in the tree too.
        """
        tree = self.page.context.new_cdp_session(self.page)
        tree.send("DOM.enable")
        tree.send("Accessibility.enable")
        found = {}
        for node in tree.send("Accessibility.getFullAXTree")["nodes"]:
            told = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            if told.get("live", "off") == "off":
                continue
            region = tree.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})["object"]["objectId"]
            asked = {
                "functionDeclaration": HEARD,
                "objectId": region,
                "arguments": [{"value": told.get("atomic", False)}],
                "returnByValue": True,
            }
            name, *words = tree.send("Runtime.callFunctionOn", asked)["result"]["value"]
            found[name] = Heard(*words)
        tree.detach()
        return {name: heard for name, heard in found.items() if heard.said}
