import { expect, it } from 'vitest'
import { isChoosingName } from './choosing-name.ts'

it.each([
  'models',
  'Models',
  'fallbackModels',
  'FALLBACK_MODEL',
  'backup-model',
  'mоdel',
  'ｍodels',
  'model_ids',
  'modelName',
  'model2',
  'engine',
  'engineId',
  'deployment.id',
  'route',
  'preset',
  'custom_llm_provider',
  'provider',
  'apiProvider',
  'api_base',
  'baseURL',
  'base_url',
  'endpoint',
  'api key',
  'ＡPI_KEY',
] as const)('the name %s chooses', (name) => {
  expect(isChoosingName(name)).toBe(true)
})

it.each([
  'remodel',
  'modeling',
  'model_kwargs',
  'modalities',
  'reroute',
  'routed',
  'presets_of_style',
  'providers_note',
  'database',
  'base64',
  'endpointing',
  'speech_model_version',
  'keys',
])('the name %s does not choose, because only a part of it is such a word', (name) => {
  expect(isChoosingName(name)).toBe(false)
})
