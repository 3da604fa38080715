"""Hear what a screen reader would announce, from the browser's accessibility tree."""

from __future__ import annotations

from typing import Any, NamedTuple

# For each change in a possible live region, count the new words and the words that are then in it.
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


class Announcement(NamedTuple):
    """The words that were announced, and how many of them and of older ones are read."""

    said: int
    read: int


class ScreenReader:
    """Hears every live region of the page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate(LISTEN)

    def announcements(self) -> dict[str, Announcement]:
        """Return what was announced, by the class of the region. The tree says which regions are live and atomic.

        Call it at the end, when regions that were empty are in the tree too.
        """
        tree = self.page.context.new_cdp_session(self.page)
        tree.send("DOM.enable")
        tree.send("Accessibility.enable")
        found = {}
        for node in tree.send("Accessibility.getFullAXTree")["nodes"]:
            properties = {attribute["name"]: attribute["value"].get("value") for attribute in node.get("properties", [])}
            if properties.get("live", "off") == "off":
                continue
            region = tree.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})["object"]["objectId"]
            call = {
                "functionDeclaration": HEARD,
                "objectId": region,
                "arguments": [{"value": properties.get("atomic", False)}],
                "returnByValue": True,
            }
            name, *words = tree.send("Runtime.callFunctionOn", call)["result"]["value"]
            found[name] = Announcement(*words)
        tree.detach()
        return {name: heard for name, heard in found.items() if heard.said}
