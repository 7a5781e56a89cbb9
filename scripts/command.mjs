// `npm run import|export|backup|audit|recompute|openapi -- …`: runs a command of the program, also on a machine
// where the server was never started.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { ensureInstalled, nodePath, root } from './install.mjs'

ensureInstalled('run')
const program = join(root, 'apps', 'server', 'src', 'program.ts')
const result = spawnSync(nodePath(), [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
process.exit(result.status ?? 1)
