/** The entry of the bundle `lesson`: an exercise in the notebook. */

import { defineWidget } from "../widgets/widget-host";
import type { Sheet } from "./exercise-kinds";
import { ExerciseView } from "./exercise-view";

export default defineWidget((host) => {
  const exercise = new ExerciseView(
    () => host.get<Sheet>("sheet"),
    () => host.words,
    (answer) => host.send(answer),
  );
  host.on("change:words", () => exercise.paint());
  host.on("change:sheet", () => {
    exercise.paint();
    host.confirmShown();
  });
  host.on("msg:custom", ({ said: message }: { said: string }) => exercise.showMessage(message));
  return exercise;
});
