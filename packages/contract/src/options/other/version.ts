import { section } from '../section.ts'

export const versionSection = section({
  key: 'version',
  title: { en: 'Version', zh: '版本信息' },
  purpose: {
    en: 'What is running here, and whether there is something newer.',
    zh: '当前运行的版本，以及是否有新版本。',
  },
  finds: [{ en: 'Check for updates', zh: '检查更新' }],
  settings: {},
})
