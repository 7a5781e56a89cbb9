import type { ClientSetup } from './setup.ts'
import { jsonFile } from './write.ts'

export const qwenCode: ClientSetup = {
  id: 'qwen-code',
  label: 'Qwen Code',
  kind: 'agent',
  prefers: 'qwen',
  variants: [
    {
      id: 'settings',
      label: 'settings.json',
      dialect: 'chat',
      blocks: ({ address, key, model }) => [
        {
          type: 'file',
          path: '~/.qwen/settings.json',
          language: 'json',
          text: jsonFile({ security: { auth: { selectedType: 'openai' } } }),
        },
        {
          type: 'environment',
          variables: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${address}/v1`, OPENAI_MODEL: model },
        },
      ],
    },
  ],
}
