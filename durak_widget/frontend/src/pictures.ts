/** What stands in for a widget where nothing is live. */

/** Hide the pictures that stand in for widgets in this output, now that one is live: those of the nearest place that holds any. */
export function hidePictures(el: HTMLElement): void {
  for (let place: HTMLElement | null = el; place && place !== document.body; place = place.parentElement) {
    const pictures = place.querySelectorAll<HTMLElement>(".durak-picture");
    for (const picture of pictures) picture.style.display = "none";
    if (pictures.length) return;
  }
}
