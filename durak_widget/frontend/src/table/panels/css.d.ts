/** A style sheet that a bundle brings along as a text. */
declare module "*.css" {
  const text: string;
  export default text;
}
