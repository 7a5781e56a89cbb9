import { picture } from '../address-kinds.ts'
import { text } from '../kinds.ts'
import { section } from '../section.ts'

export const nameSection = section({
  key: 'name',
  title: { en: 'Name and logo', zh: '名称与 Logo' },
  purpose: { en: 'How the site presents itself.', zh: '站点的名称与形象。' },
  settings: {
    SystemName: text('Tollgate', 64, {
      label: { en: 'System name', zh: '系统名称' },
      help: {
        en: "The site's name: in the title bar, in the subjects of mails and as their sender.",
        zh: '网站的名称：显示在标题栏、邮件主题和发件人中。',
      },
    }),
    Logo: picture({
      label: { en: 'Logo address', zh: 'Logo 图片地址' },
      help: {
        en: 'Address of a picture, shown 24 pixels high beside the name. Empty shows our mark.',
        zh: '图片地址，以 24 像素高显示在名称旁，留空则显示默认标志。',
      },
    }),
  },
})
