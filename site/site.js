// Mends what the theme leaves out for people with a keyboard or a screen reader.
function mend() {
  const boxes = ".md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset p:has(> img)";
  for (const box of document.querySelectorAll(boxes)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
  for (const nav of document.querySelectorAll(".md-code__nav")) nav.role = "presentation";
  document.querySelector(".md-path")?.setAttribute("aria-label", "Path");
  document.querySelector(".md-version__current")?.removeAttribute("aria-label");
  for (const cell of document.querySelectorAll("th:empty")) {
    cell.replaceWith(document.createElement("td"));
  }
}

// The theme adds buttons and the version later.
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", mend);
mend();
