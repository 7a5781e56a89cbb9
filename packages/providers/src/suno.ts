import { defineProvider } from './define/define-provider.ts'
import { sunoProxy } from './tasks/suno.ts'

/** https://github.com/Suno-API/Suno-API */
export const suno = defineProvider({
  id: 'suno',
  type: 36,
  label: 'Suno',
  address: { example: 'https://suno.example.com' },
  tasks: sunoProxy,
  models: ['suno_music', 'suno_lyrics'],
})
