/** The entry of the bundle `lesson`: an exercise in the notebook. */

import { defineWidget } from "../widgets/widget-host";
import type { ExerciseData } from "./exercise-kinds";
import { ExerciseView } from "./exercise-view";

export default defineWidget((host) => {
  const exercise = new ExerciseView(
    () => host.get<ExerciseData>("exercise_view"),
    () => host.words,
    (answer) => host.send(answer),
  );
  host.on("change:words", () => exercise.paint());
  host.on("change:exercise_view", () => {
    exercise.paint();
    host.confirmShown();
  });
  host.on("msg:custom", ({ text: message }: { text: string }) => exercise.showMessage(message));
  return exercise;
});
