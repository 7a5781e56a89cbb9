import { sampleCall } from './sample-call.ts'
import type { ClientSetup, Dialect, SetupValues } from './setup.ts'
import { inShell } from './write.ts'

const FORMATS: readonly { readonly dialect: Dialect; readonly label: string }[] = [
  { dialect: 'chat', label: 'OpenAI chat' },
  { dialect: 'responses', label: 'OpenAI Responses' },
  { dialect: 'messages', label: 'Anthropic Messages' },
  { dialect: 'gemini', label: 'Gemini' },
]

export const curl: ClientSetup = {
  id: 'curl',
  label: 'curl',
  kind: 'library',
  prefers: 'any',
  variants: FORMATS.map(({ dialect, label }) => ({
    id: dialect,
    label,
    dialect,
    blocks: (values) => [{ type: 'code', language: 'sh', text: commandOf(dialect, values) }],
  })),
}

function commandOf(dialect: Dialect, values: SetupValues): string {
  const { path, headers, body } = sampleCall(dialect, values)
  const all = { ...headers, 'content-type': 'application/json' }
  const lines = [
    `curl ${inShell(values.address + path)}`,
    ...Object.entries(all).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    `-d ${inShell(JSON.stringify(body, null, 2))}`,
  ]
  return `${lines.join(' \\\n  ')}\n`
}
