/** A soft tap when a card is laid, made on the spot; only for those who ask for it. */

export function tap(pitch: number): void {
  const context = new AudioContext();
  const { currentTime: now } = context;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + 0.08);
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
  tone.onended = () => void context.close();
}
