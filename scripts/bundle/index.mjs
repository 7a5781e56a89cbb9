// `npm run bundle`: builds `dist/`, which runs from any folder on Node 24. With `-- --sourcemap` the source maps
// are beside it.
import process from 'node:process'
import { buildBundle } from './build.mjs'
import { ensureConsoleBuilt } from '../console-build.mjs'
import { ensureInstalled } from '../install.mjs'

ensureInstalled('full')
ensureConsoleBuilt()
const startedMs = Date.now()
await buildBundle({ hasSourceMaps: process.argv.includes('--sourcemap') })
process.stdout.write(`dist/ is built in ${((Date.now() - startedMs) / 1000).toFixed(1)} s\n`)
