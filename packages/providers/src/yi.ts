import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openaiChat } from './define/openai.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'

export const yi = defineProvider({
  id: 'yi',
  type: 31,
  label: '01.AI (Yi)',
  baseUrl: 'https://api.lingyiwanwu.com',
  endpoints: { chat: [openaiChat({ quirks: [olderOutputLimit], streamOptions: false })] },
  models: names(`
    yi-large yi-medium yi-vision yi-medium-200k yi-spark
    yi-large-rag yi-large-turbo yi-large-preview yi-large-rag-preview
  `),
  modelList: openaiModels(),
})
