import { defineMessages } from '../i18n/messages.ts'

export const paletteMessages = defineMessages('palette', {
  en: {
    title: 'Go to',
    placeholder: 'Go to a page, or find something by name',
    nothing: 'Nothing found with that name',
  },
  zh: {
    title: '前往',
    placeholder: '前往页面，或按名称查找',
    nothing: '没有匹配的内容',
  },
})
