/** An exercise at the door to the notebook. */

import { widget } from "../page/door";
import { ExerciseView } from "./exercise";
import type { Sheet } from "./kinds";

export default widget((door) => {
  const exercise = new ExerciseView(
    () => door.get<Sheet>("sheet"),
    () => door.words,
    (answer) => door.send(answer),
  );
  for (const name of ["sheet", "words"]) door.on(`change:${name}`, () => exercise.paint());
  door.on("msg:custom", ({ said }: { said: string }) => exercise.tell(said));
  return exercise;
});
