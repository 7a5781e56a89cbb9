import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { IncomingHttpHeaders } from 'node:http'
import type { AgentProgram } from './programs/agent-program.ts'
import type { AgentRun } from './run-agent.ts'
import { Scrubber } from './scrubber.ts'
import { type Json, objectOf } from './vendor/json.ts'

/** The requests that one agent sent during the task, against a vendor of its own wire format. */
export interface Recording {
  readonly program: string
  readonly version: string
  readonly dialect: AgentProgram['dialect']
  readonly requests: readonly RecordedRequest[]
}

export interface RecordedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

const FOLDER = join(import.meta.dirname, 'recordings')
const ENDING = '.json.br'
/** Headers that can influence a gateway's decisions. Keys, ids and addresses are left out. */
const HEADERS =
  /^(?:user-agent|accept|content-type|anthropic-(?:version|beta)|openai-beta|originator|version|x-app|x-goog-api-client|x-codex-(?:beta-features|window-id)|x-stainless-(?:lang|package-version|runtime|helper-method))$/

export function recordingOf(input: {
  readonly program: string
  readonly version: string
  readonly dialect: AgentProgram['dialect']
  readonly run: AgentRun
}): Recording {
  const { run, ...head } = input
  const scrubber = new Scrubber(run.place)
  const requests = run.requests
    .filter(({ method, status }) => method === 'POST' && status === 200)
    .map(({ path, headers, body }) => ({
      path,
      headers: keptHeaders(headers, scrubber),
      body: objectOf(scrubber.scrub(JSON.parse(body.toString()))),
    }))
  return { ...head, requests }
}

export async function writeRecording(recording: Recording): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const bytes = Buffer.from(JSON.stringify(recording))
  // Each request repeats the one before, so the compression window is large enough for all of them.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 11 }
  await writeFile(join(FOLDER, `${recording.program}${ENDING}`), brotliCompressSync(bytes, { params }))
}

export function readRecordings(): readonly Recording[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .toSorted()
    .map((name): Recording => JSON.parse(brotliDecompressSync(readFileSync(join(FOLDER, name))).toString()))
}

function keptHeaders(headers: IncomingHttpHeaders, scrubber: Scrubber): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, scrubber.plain(String(value))]))
}
