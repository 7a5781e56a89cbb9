import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { blocksOf } from '@tollgate/contract/client-setup/index'
import { startBlockingProxy } from './blocking-proxy.ts'
import { openAgentGateway, upstreams } from './gateway.ts'
import { billingFaults } from './judge-billing.ts'
import { bareEnvironment } from './programs/installed.ts'
import { type AgentRun, proxied, runProgram } from './run-agent.ts'
import { openTap } from './tap.ts'
import { openVendor, type VendorKind } from './vendor/open-vendor.ts'

/** The program of a library on the Connect page, with packages that `npm test` does not have. */
export interface LibraryProgram {
  readonly id: string
  readonly client: 'openai-sdk' | 'anthropic-sdk' | 'google-sdk' | 'langchain'
  readonly language: 'python' | 'typescript'
  readonly packages: readonly string[]
  /** What it sends, for the list of programs that could not run. */
  readonly request: string
}

export const libraries: readonly LibraryProgram[] = [
  python('openai-sdk', { package: 'openai', request: 'POST /v1/chat/completions' }),
  python('anthropic-sdk', { package: 'anthropic', request: 'POST /v1/messages' }),
  python('google-sdk', {
    package: 'google-genai',
    request: 'POST /v1beta/models/MODEL:generateContent',
  }),
  python('langchain', { package: 'langchain-openai', request: 'POST /v1/chat/completions' }),
  {
    id: 'langchain-typescript',
    client: 'langchain',
    language: 'typescript',
    packages: ['@langchain/openai', '@langchain/core'],
    request: 'POST /v1/chat/completions',
  },
]

/** Programs with a window, which no test can start, and the request that their fields lead to. */
export const windows: Readonly<Record<string, string>> = {
  cursor: 'it has a window and calls from its own servers; it sends POST /v1/chat/completions',
  'cherry-studio': 'it has a window; it sends POST /v1/chat/completions',
}

function python(
  client: LibraryProgram['client'],
  { package: name, request }: { readonly package: string; readonly request: string },
): LibraryProgram {
  return { id: `${client}-python`, client, language: 'python', packages: [name], request }
}

const run = promisify(execFile)
const INSTALL_MS = 120_000
/** What the vendor says to a question without tools. */
const ANSWER = 'Read, run and write'

export interface InstalledLibrary {
  readonly folder: string
  readonly path: string
}

/**
 * Installs the newest packages into a folder of their own, unless they are there.
 * @throws Error when the registry cannot be reached or lacks one of them
 */
export async function installLibrary(
  { id, language, packages }: LibraryProgram,
  cache: string,
): Promise<InstalledLibrary> {
  const folder = join(cache, id)
  const ready = join(folder, 'ready')
  const isPython = language === 'python'
  const path = isPython ? join(folder, 'bin', 'python') : process.execPath
  if (existsSync(ready)) return { folder, path }
  await mkdir(folder, { recursive: true })
  const env = { ...process.env, PATH: bareEnvironment('').PATH }
  const options = { cwd: folder, timeout: INSTALL_MS, env }
  if (isPython) {
    await run('python3', ['-m', 'venv', folder], options)
    await run(path, ['-m', 'pip', 'install', '-q', '--retries', '0', ...packages], options)
  } else {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', ...packages]
    await run('npm', args, { ...options, shell: process.platform === 'win32' })
  }
  await writeFile(ready, '')
  return { folder, path }
}

/** Runs the program as the Connect page shows it. */
export async function runLibrary({
  library,
  installed: { folder, path },
  vendor: kind,
}: {
  readonly library: LibraryProgram
  readonly installed: InstalledLibrary
  readonly vendor: VendorKind
}): Promise<AgentRun> {
  const place = await mkdtemp(join(tmpdir(), 'tollgate-library-'))
  const { model } = upstreams[kind]
  const vendor = await openVendor(kind, { folder: place })
  const gateway = await openAgentGateway(kind, { vendorUrl: vendor.url })
  const tap = await openTap(gateway.address)
  const outside = await startBlockingProxy()
  try {
    const values = { address: tap.address, key: gateway.key, model }
    const block = blocksOf(library.client, library.language, values).find(({ type }) => type === 'code')
    const text = block?.type === 'code' ? block.text : ''
    const args = library.language === 'python' ? ['-c', text] : ['--input-type=module-typescript', '-e', text]
    const env = { ...bareEnvironment(place), ...proxied(outside.address) }
    const { code, printed } = await runProgram({ path, args, cwd: folder, env })
    const rows = await gateway.rows()
    const posted = tap.requests.filter(({ method, status }) => method === 'POST' && status === 200)
    const faults = [
      ...(code === 0 ? [] : [`exit: ${code}: ${printed.slice(-300)}`]),
      // Some also warn about deprecated models and calls.
      ...(printed.split('\n').includes(ANSWER)
        ? []
        : [`it printed ${JSON.stringify(printed.slice(0, 300))}`]),
      ...(posted.length === 1 ? [] : [`${posted.length} calls instead of one`]),
      ...billingFaults({ book: vendor.book, rows, spent: await gateway.spent() }),
    ]
    const asked = [...new Set(outside.asked)]
    return { faults, requests: tap.requests, book: vendor.book, outside: asked, place, printed }
  } finally {
    await outside.close()
    await tap.close()
    await gateway.close()
    await vendor.close()
    await rm(place, { recursive: true, force: true })
  }
}
