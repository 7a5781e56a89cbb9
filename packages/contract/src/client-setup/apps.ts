import type { ClientId, ClientSetup, SetupField, SetupValues } from './setup.ts'

/** Programs that are configured in a window. The names of the fields are those of their English versions. */

/** Cursor sends its requests from its own servers, so the gateway must be reachable from the internet. */
export const cursor: ClientSetup = appOf('cursor', {
  label: 'Cursor',
  place: 'Cursor Settings › Models › API Keys',
  fields: ({ address, key, model }) => [
    { name: 'OpenAI API Key', value: key },
    { name: 'Override OpenAI Base URL', value: `${address}/v1` },
    { name: 'Add custom model', value: model },
  ],
})

export const cline: ClientSetup = appOf('cline', {
  label: 'Cline',
  place: 'Cline › Settings › API Configuration',
  fields: ({ address, key, model }) => [
    { name: 'API Provider', value: 'OpenAI Compatible' },
    { name: 'Base URL', value: `${address}/v1` },
    { name: 'API Key', value: key },
    { name: 'Model ID', value: model },
  ],
})

/** Cherry Studio adds `/v1/chat/completions` to the address itself. */
export const cherryStudio: ClientSetup = appOf('cherry-studio', {
  label: 'Cherry Studio',
  place: 'Settings › Model Provider › Add',
  fields: ({ address, key, model }) => [
    { name: 'Provider Type', value: 'OpenAI' },
    { name: 'API Key', value: key },
    { name: 'API Host', value: address },
    { name: 'Model ID', value: model },
  ],
})

interface AppInput {
  readonly label: string
  readonly place: string
  readonly fields: (values: SetupValues) => readonly SetupField[]
}

function appOf(id: ClientId, { label, place, fields }: AppInput): ClientSetup {
  return {
    id,
    label,
    kind: 'app',
    prefers: 'any',
    variants: [
      {
        id: 'fields',
        label: 'OpenAI chat',
        dialect: 'chat',
        blocks: (values) => [{ type: 'fields', place, fields: fields(values) }],
      },
    ],
  }
}
