// Loaded into dependency-cruiser before it starts. dependency-cruiser finds imports with the Visitor of @swc/core, which
// fails at `using` declarations although @swc/core parses them ("Unknown statement type: UsingDeclaration"). It also has
// every file parsed as plain TypeScript, even those with JSX.
import swc from "@swc/core";
import { Visitor } from "@swc/core/Visitor.js";

const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith(".tsx") });

const { visitStatement, visitForOfStatement } = Visitor.prototype;

Visitor.prototype.visitStatement = function visit(statement) {
  return statement.type === "UsingDeclaration" ? visitUsing(this, statement) : visitStatement.call(this, statement);
};

Visitor.prototype.visitForOfStatement = function visit(statement) {
  if (statement.left.type !== "UsingDeclaration") return visitForOfStatement.call(this, statement);
  visitUsing(this, statement.left);
  statement.right = this.visitExpression(statement.right);
  statement.body = this.visitStatement(statement.body);
  return statement;
};

function visitUsing(visitor, declaration) {
  declaration.decls = visitor.visitVariableDeclarators(declaration.decls);
  return declaration;
}
