import { defineReseller } from './define/reseller.ts'

export const ohmygpt = defineReseller({
  id: 'ohmygpt',
  type: 7,
  label: 'OhMyGPT',
  baseUrl: 'https://api.ohmygpt.com',
})
