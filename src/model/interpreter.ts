const interpreter =
  /^(python|perl|ruby|node|bun|deno|java|mono|lua|gjs|wish|tclsh|guile|electron)[\d.]*(-sgen|-console)?$/i;

/** What runs programs that are texts: the application is the text, and two of them have nothing else in common. */
export function isInterpreter(program: string): boolean {
  return interpreter.test(program);
}
