import { defineProvider, names } from './define/define-provider.ts'
import { soraUpstream } from './tasks/sora.ts'

/** OpenAI video generation. https://platform.openai.com/docs/api-reference/videos */
export const sora = defineProvider({
  id: 'sora',
  type: 55,
  label: 'Sora',
  baseUrl: 'https://api.openai.com',
  tasks: soraUpstream,
  models: names('sora-2 sora-2-pro'),
})
