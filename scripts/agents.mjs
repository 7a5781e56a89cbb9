// `npm run test:agents`: coding agents from npm perform a task through the gateway, against a scripted vendor
// of each kind. They are installed only for this run, outside the repository. `-- --help` lists the options;
// `npm test` replays the requests that they sent.
import { join } from 'node:path'
import process from 'node:process'
import { ensureInstalled, root } from './install.mjs'
import { runStep } from './steps.mjs'

ensureInstalled('full')
const program = join(root, 'apps/server/test/agents/main.ts')
const { isGreen } = await runStep({ name: 'agents', args: [program, ...process.argv.slice(2)] })
process.exit(isGreen ? 0 : 1)
