// Loaded into dependency-cruiser before it starts. The syntax walker of @swc/core, by which it finds imports, stops at the
// `using` declarations that @swc/core itself parses ("Unknown statement type: UsingDeclaration"): a gap in @swc/core. And
// dependency-cruiser asks it to parse every file as plain TypeScript, those with tags in them, too.
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
