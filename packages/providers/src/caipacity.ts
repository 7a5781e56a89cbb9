import { defineReseller } from './define/reseller.ts'

export const caipacity = defineReseller({
  id: 'caipacity',
  type: 9,
  label: 'AILS',
  baseUrl: 'https://api.caipacity.com',
})
