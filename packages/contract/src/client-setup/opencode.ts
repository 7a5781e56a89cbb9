import type { ClientSetup, Dialect, SetupValues } from './setup.ts'
import { jsonFile } from './write.ts'

/** OpenCode has a client for each wire format. */
const FORMATS = [
  { dialect: 'chat', label: 'OpenAI chat', npm: '@ai-sdk/openai-compatible', version: '/v1' },
  { dialect: 'responses', label: 'OpenAI Responses', npm: '@ai-sdk/openai', version: '/v1' },
  { dialect: 'messages', label: 'Anthropic Messages', npm: '@ai-sdk/anthropic', version: '/v1' },
  { dialect: 'gemini', label: 'Gemini', npm: '@ai-sdk/google', version: '/v1beta' },
] as const satisfies readonly Format[]

interface Format {
  readonly dialect: Dialect
  readonly label: string
  readonly npm: string
  readonly version: string
}

export const opencode: ClientSetup = {
  id: 'opencode',
  label: 'OpenCode',
  kind: 'agent',
  prefers: 'any',
  variants: FORMATS.map((format) => ({
    id: format.dialect,
    label: format.label,
    dialect: format.dialect,
    blocks: (values) => [
      {
        type: 'file',
        path: '~/.config/opencode/opencode.json',
        language: 'json',
        text: configOf(values, format),
      },
    ],
  })),
}

function configOf({ address, key, model }: SetupValues, { npm, version }: Format): string {
  return jsonFile({
    $schema: 'https://opencode.ai/config.json',
    provider: {
      gateway: {
        npm,
        name: 'Gateway',
        options: { baseURL: `${address}${version}`, apiKey: key },
        models: { [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 8192 } } },
      },
    },
    model: `gateway/${model}`,
    small_model: `gateway/${model}`,
  })
}
