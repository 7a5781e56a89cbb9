import { defineFeatureMessages } from '../../shared/i18n/feature-messages.ts'

export const aboutMessages = defineFeatureMessages('about', {
  en: {
    title: 'About',
    what: 'Tollgate is an open gateway to AI models. It relays calls to the providers its operator has set up, measures what each call used, and charges exactly that.',
    site: 'This site is run by its operator, who chooses the models, the prices and who may use them. Questions about an account or a charge go to them.',
    running: 'Running since',
    licence: 'Licence',
    docs: 'Documentation',
  },
  zh: {
    title: '关于',
    what: 'Tollgate 是一个开放的 AI 模型网关。它把调用转发给运营者配置的供应商，计量每次调用的用量，并据此精确计费。',
    site: '本站由其运营者管理，由其决定可用的模型、价格和用户。关于账号或费用的问题，请联系运营者。',
    running: '运行自',
    licence: '许可证',
    docs: '文档',
  },
})
