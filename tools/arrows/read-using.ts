/* eslint-disable typescript/no-deprecated -- swc discourages its Visitor; dependency-cruiser uses it all the same */
// dependency-cruiser walks a file with swc's Visitor, which throws at `using` declarations: it does not know the
// statement. This teaches it. Imported for its effect, before the first cruise.
import type { Statement, VariableDeclarator } from "@swc/core";
import { Visitor } from "@swc/core/Visitor.js";

interface UsingDeclaration {
  readonly type: "UsingDeclaration";
  decls: VariableDeclarator[];
}

const prototype = Visitor.prototype;
// eslint-disable-next-line typescript/unbound-method -- called with the visitor below
const known = prototype.visitStatement;

prototype.visitStatement = function visitStatement(this: Visitor, statement: Statement | UsingDeclaration): Statement {
  if (statement.type !== "UsingDeclaration") return known.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  // The visitor only collects imports: what it returns is put back into the tree and not looked at again.
  return statement as unknown as Statement;
};
