import { defineReseller } from './define/reseller.ts'

export const openaimax = defineReseller({
  id: 'openaimax',
  type: 6,
  label: 'OpenAIMax',
  baseUrl: 'https://api.openaimax.com',
})
