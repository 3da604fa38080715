/** The sources as TypeScript's own parser reads them: what is wrong with their types, and which words they ask for. */

import { readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isCallExpression, isObjectLiteralExpression, isPropertyAccessExpression } from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";

type Node = Parameters<typeof isCallExpression>[0];

/** A call of one of the functions that say words. */
export interface Call {
  readonly file: string;
  readonly how: "say" | "count" | "named";
  /** Every value that its first argument can have, as its type says; empty where that can be any. */
  readonly keys: readonly string[];
  /** The names of the facts that it gives, where they are written out. */
  readonly facts: readonly string[] | undefined;
}

function read(): { calls: readonly Call[]; wrong: readonly string[] } {
  const api = new API({ cwd: process.cwd() });
  const { program, checker } = api.updateSnapshot({ openProjects: ["tsconfig.json"] }).getProjects()[0] ?? {};
  if (!program || !checker) throw new Error("TypeScript has not opened tsconfig.json");
  const values = (node: Node): string[] => {
    const type = checker.getTypeAtLocation(node);
    const all = type?.isUnionType() ? type.getTypes() : type ? [type] : [];
    return all.flatMap((one) => (one.isStringLiteralType() ? [one.value] : []));
  };
  const calls: Call[] = [];
  for (const file of readdirSync("src", { encoding: "utf-8", recursive: true }).filter((name) => name.endsWith(".ts"))) {
    const visit = (node: Node): void => {
      if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
        const how = node.expression.name.text;
        const [key, facts] = node.arguments;
        const asked =
          (how === "say" || how === "count" || how === "named") &&
          checker.getTypeAtLocation(node.expression.expression)?.getSymbol()?.name === "Words";
        if (asked && key) {
          const names =
            facts && isObjectLiteralExpression(facts) && facts.properties.every((one) => "name" in one && one.name)
              ? facts.properties.map((one) => ("name" in one ? one.name.getText() : "…"))
              : undefined;
          calls.push({ file, how, keys: values(key), facts: facts ? names : [] });
        }
      }
      node.forEachChild(visit);
    };
    const source = program.getSourceFile(resolve("src", file));
    if (source) visit(source);
  }
  const wrong = program.getSemanticDiagnostics().map(({ fileName, text }) => `${relative(".", fileName ?? "")}: ${text}`);
  api.close();
  return { calls, wrong };
}

export const { calls, wrong } = read();
