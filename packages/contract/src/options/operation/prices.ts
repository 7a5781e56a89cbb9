import { section } from '../section.ts'

export const pricesSection = section({
  key: 'prices',
  title: { en: 'Prices of models', zh: '模型价格' },
  purpose: {
    en: 'Every model with its price, by usage or by call; in ratios or in dollars for a million tokens.',
    zh: '所有模型的价格：按量或按次计费，以倍率或每百万 token 美元显示。',
  },
  settings: {},
})
