import { problems } from './problem.ts'

/**
 * Generates the page `docs/reference/errors.md` from the problem catalogue, so that the two cannot drift
 * apart.
 */
export function errorReference(): string {
  const rows = Object.entries(problems)
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([code, { status, fault, text }]) => `| \`${code}\` | ${status} | ${fault} | ${cell(text.en)} |`)
  return [HEAD, ...rows, ''].join('\n')
}

const HEAD = `# Errors

Every expected failure has a code, a status on relay routes, and a party at fault: \`caller\` (change the request),
\`operator\` (change the configuration), \`upstream\` (the provider rejected the call or failed), \`network\`, \`gateway\` (retry later).
The text follows the caller's \`Accept-Language\` (Chinese or English). Any other error is a bug: the caller gets a plain 500
with an id to look up in the server's log.

| code | status | fault | text |
|---|---|---|---|`

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
