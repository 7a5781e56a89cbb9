// `npm run client`: builds the package `@tollgate/client` in `packages/contract/dist`. `npm pack` there makes the
// tarball.
import { join } from 'node:path'
import process from 'node:process'
import { ensureInstalled, root } from '../install.mjs'
import { buildClient } from './build.mjs'

ensureInstalled('full')
const folder = join(root, 'packages/contract/dist')
await buildClient(folder)
process.stdout.write(`@tollgate/client is built: npm pack ${folder}\n`)
