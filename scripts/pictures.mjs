// `npm run pictures`: takes the pictures of the guides again and writes them into docs/images.
import { join } from 'node:path'
import process from 'node:process'
import { ensureConsoleBuilt } from './console-build.mjs'
import { ensureInstalled, root } from './install.mjs'
import { runStep } from './steps.mjs'

ensureInstalled('full')
ensureConsoleBuilt()
const { isGreen } = await runStep({ name: 'pictures', args: [join(root, 'e2e/pictures.ts')] })
process.exit(isGreen ? 0 : 1)
