/** Read the sources with TypeScript's own parser: type errors, and the keys of texts. */

import { readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isCallExpression, isObjectLiteralExpression, isPropertyAccessExpression } from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";

type Node = Parameters<typeof isCallExpression>[0];

/** A call of a function that returns words. */
export interface Call {
  readonly file: string;
  readonly how: "say" | "sayCount" | "sayNamed";
  /** All possible values of the first argument. Empty if it can be any string. */
  readonly keys: readonly string[];
  /** The names of the values, if they are written out. */
  readonly facts: readonly string[] | undefined;
}

function read(): { calls: readonly Call[]; typeErrors: readonly string[] } {
  const api = new API({ cwd: process.cwd() });
  const { program, checker } = api.updateSnapshot({ openProjects: ["tsconfig.json"] }).getProjects()[0] ?? {};
  if (!program || !checker) throw new Error("TypeScript has not opened tsconfig.json");
  const values = (node: Node): string[] => {
    const type = checker.getTypeAtLocation(node);
    const all = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
    return all.flatMap((type) => (type.isStringLiteralType() ? [type.value] : []));
  };
  const calls: Call[] = [];
  for (const file of readdirSync("src", { encoding: "utf-8", recursive: true }).filter((name) => name.endsWith(".ts"))) {
    const visit = (node: Node): void => {
      if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
        const how = node.expression.name.text;
        const [key, facts] = node.arguments;
        const asked =
          (how === "say" || how === "sayCount" || how === "sayNamed") &&
          checker.getTypeAtLocation(node.expression.expression)?.getSymbol()?.name === "Words";
        if (asked && key) {
          const names =
            facts && isObjectLiteralExpression(facts) && facts.properties.every((property) => "name" in property && property.name)
              ? facts.properties.map((property) => ("name" in property ? property.name.getText() : "…"))
              : undefined;
          calls.push({ file, how, keys: values(key), facts: facts ? names : [] });
        }
      }
      node.forEachChild(visit);
    };
    const source = program.getSourceFile(resolve("src", file));
    if (source) visit(source);
  }
  const typeErrors = program.getSemanticDiagnostics().map(({ fileName, text }) => `${relative(".", fileName ?? "")}: ${text}`);
  api.close();
  return { calls, typeErrors };
}

export const { calls, typeErrors } = read();
