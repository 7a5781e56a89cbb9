import { readFileSync, statSync } from 'node:fs'
import type { ImportLoss } from '@tollgate/importer/find-losses'
import { adaptLitellm, createSource } from '@tollgate/importer/litellm/litellm-source'
import { readConfig } from '@tollgate/importer/litellm/read-config'
import { isLitellm } from '@tollgate/importer/litellm/read-litellm'
import { openSource } from '@tollgate/importer/open-source'
import type { Source } from '@tollgate/importer/source'
import { readUsersFile } from '@tollgate/importer/users-file'
import { CommandError } from '../command.ts'

/** What an import reads, in the form of new-api, and what is lost before that. */
export interface ImportSource {
  readonly source: Source
  readonly losses: readonly ImportLoss[]
}

const NOTHING = { channels: [], options: [], losses: [] }

/** A database of the family or of LiteLLM, its `config.yaml`, or a file of users. */
export async function openImportSource(from: string, config: string | undefined): Promise<ImportSource> {
  const { losses, ...rows } =
    config === undefined && !isYaml(from) ? NOTHING : readConfig(readText(config ?? from), process.env)
  if (/\.csv$/i.test(from))
    return { source: createSource(from, { ...rows, ...readUsersFile(readText(from)) }), losses }
  if (isYaml(from)) return { source: createSource(from, { users: [], tokens: [], ...rows }), losses }
  const source = await openSource(from)
  if (isLitellm(source)) return { source: await adaptLitellm(source, rows), losses }
  if (config === undefined) return { source, losses: [] }
  await source.close()
  throw new CommandError('--config is for a database of LiteLLM; --from names another one.')
}

/** Whether `--from` names a file of its own kind, not a database. */
export function isImportFile(from: string): boolean {
  return /\.csv$/i.test(from) || isYaml(from)
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path)
}

const BYTES_MAX = 50_000_000

function readText(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new CommandError(`There is no file ${path}.`)
  if (statSync(path).size > BYTES_MAX) throw new CommandError(`${path} is larger than 50 MB.`)
  return readFileSync(path, 'utf8')
}
