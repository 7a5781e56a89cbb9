import type { ClientSetup } from './setup.ts'
import { jsonFile } from './write.ts'

export const geminiCli: ClientSetup = {
  id: 'gemini-cli',
  label: 'Gemini CLI',
  kind: 'agent',
  prefers: 'gemini',
  variants: [
    {
      id: 'settings',
      label: 'settings.json',
      dialect: 'gemini',
      blocks: ({ address, key, model }) => [
        {
          type: 'file',
          path: '~/.gemini/settings.json',
          language: 'json',
          text: jsonFile({ security: { auth: { selectedType: 'gemini-api-key' } } }),
        },
        {
          type: 'environment',
          variables: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: address, GEMINI_MODEL: model },
        },
      ],
    },
  ],
}
