import { type ClientSetup, KEY_VARIABLE, type SetupValues, type SetupVariant } from './setup.ts'
import { quoted } from './write.ts'

export const codex: ClientSetup = {
  id: 'codex',
  label: 'Codex',
  kind: 'agent',
  prefers: 'gpt',
  variants: [
    variantOf('http', { label: 'HTTP', usesWebSocket: false }),
    variantOf('websocket', { label: 'WebSocket', usesWebSocket: true }),
  ],
}

interface VariantOptions {
  readonly label: string
  /** Each turn sends only what is new, over one connection. */
  readonly usesWebSocket: boolean
}

function variantOf(id: string, { label, usesWebSocket }: VariantOptions): SetupVariant {
  return {
    id,
    label,
    dialect: 'responses',
    blocks: (values) => [
      {
        type: 'file',
        path: '~/.codex/config.toml',
        language: 'toml',
        text: configOf(values, usesWebSocket),
      },
      { type: 'environment', variables: { [KEY_VARIABLE]: values.key } },
    ],
  }
}

function configOf({ address, model }: SetupValues, usesWebSocket: boolean): string {
  return `model = ${quoted(model)}
model_provider = "gateway"

[model_providers.gateway]
name = "Gateway"
base_url = ${quoted(`${address}/v1`)}
env_key = "${KEY_VARIABLE}"
wire_api = "responses"
supports_websockets = ${usesWebSocket}
`
}
