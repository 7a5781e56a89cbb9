import { blocksOf } from '@tollgate/contract/client-setup/index'
import type { AgentPlace } from './agent-program.ts'

interface WrittenSetup {
  /** By path below the home folder. */
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

/** Does with the blocks of the Connect page what its reader does: writes the files and sets the variables. */
export function writtenSetup(
  client: string,
  { variant, place }: { readonly variant: string; readonly place: AgentPlace },
): WrittenSetup {
  const { address, key, model } = place
  const blocks = blocksOf(client, variant, { address, key, model })
  const files = blocks.flatMap((block) =>
    block.type === 'file' ? [[block.path.replace('~/', ''), block.text] as const] : [],
  )
  const variables = blocks.map((block) => (block.type === 'environment' ? block.variables : {}))
  return { files: Object.fromEntries(files), env: Object.assign({}, ...variables) }
}

/** What the reader types into the fields of a window, by the name of the field. */
export function fieldsOf(
  client: string,
  { address, key, model }: AgentPlace,
): Readonly<Record<string, string>> {
  const blocks = blocksOf(client, 'fields', { address, key, model })
  const fields = blocks.flatMap((block) => (block.type === 'fields' ? block.fields : []))
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

/** The JSON file of a setup with members that keep an agent quiet in a test. */
export function withMembers(text: string | undefined, members: object): string {
  const written: object = JSON.parse(text ?? '{}')
  return JSON.stringify({ ...written, ...members })
}
