import type { AgentProgram } from './agent-program.ts'
import { fieldsOf } from './setup-blocks.ts'

/** The program for terminals. It has the same fields as the extension for editors, and keeps them in a file. */
export const cline: AgentProgram = {
  id: 'cline',
  package: 'cline',
  // Its user agent is that of the library with which it calls.
  client: 'other',
  namesNoSession: true,
  endsOnBreak: true,
  // With the name of a GPT it patches files, and loses the line break at their end.
  model: 'qwen3-coder-plus',
  command: 'cline',
  dialect: 'chat',
  start: (place) => {
    const { folder, prompt } = place
    const fields = fieldsOf('cline', place)
    const provider = fields['API Provider']?.toLowerCase().replace(' ', '-') ?? ''
    const settings = {
      provider,
      apiKey: fields['API Key'],
      model: fields['Model ID'],
      baseUrl: fields['Base URL'],
    }
    const kept = { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' }
    const file = { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: kept } }
    return {
      files: { '.cline/data/settings/providers.json': JSON.stringify(file) },
      args: ['--provider', provider, '--cwd', folder, '--auto-approve', 'true', prompt],
      env: { CLINE_TELEMETRY_DISABLED: '1' },
    }
  },
}
