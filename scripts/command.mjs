// `npm run import|export|backup|audit|recompute|openapi -- …`: runs a command of the server, also on a
// machine where the server was never started.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { ensureInstalled, nodePath, root } from './install.mjs'

const [, , name = '', ...rest] = process.argv

ensureInstalled('run')
const file = join(root, 'apps', 'server', 'src', 'commands', name, 'index.ts')
const result = spawnSync(nodePath(), [file, ...rest], { cwd: root, stdio: 'inherit' })
process.exit(result.status ?? 1)
