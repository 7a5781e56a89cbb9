// The static checks that `npm run verify` and `npm test` share.
import { join } from 'node:path'
import { root } from './install.mjs'
import { tool } from './steps.mjs'

/** @type {import('./steps.mjs').Step[]} */
export const staticChecks = [
  { name: 'format', args: tool('oxfmt/bin/oxfmt', '--check') },
  { name: 'lint', args: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings') },
  { name: 'types of the server', args: tool('typescript/bin/tsc', '-p', 'tsconfig.json') },
  {
    name: 'types of the console',
    args: tool('typescript/bin/tsc', '-p', join(root, 'apps/console/tsconfig.json')),
  },
  { name: 'types of the walks', args: tool('typescript/bin/tsc', '-p', join(root, 'e2e/tsconfig.json')) },
  { name: 'words and documents', args: [join(root, 'scripts/check-text.mjs')] },
  { name: 'unused code', args: tool('knip/bin/knip.js', '--no-progress', '--no-config-hints') },
]

export const unitTests = {
  name: 'unit tests',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--project',
    'console',
    '--project',
    'console-dom',
    '--reporter=dot',
    '--reporter=json',
    '--outputFile.json=node_modules/.tollgate-unit.json',
  ),
}
