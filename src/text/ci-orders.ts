/** How lines begin, or what they hold anywhere, that CI services take as orders: GitHub Actions, Azure Pipelines, TeamCity. */
const ORDERS = /^([^\S\n]*):(?=:)|#(?=#(?:vso|teamcity)?\[)/gm;

/** Text in which no line is an order to the CI service whose log it is printed to. */
export function withoutOrders(text: string): string {
  return text.replace(ORDERS, '$& ');
}
