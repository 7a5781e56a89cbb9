import { ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import type { PropsWithChildren } from 'react'
import { useLanguage } from '../i18n/language.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import styles from './component-library.module.css'
import { libraryTheme } from './theme.ts'
import { useTheme } from './theme-mode.ts'

const themes = { light: libraryTheme('light'), dark: libraryTheme('dark') }
const locales = { zh: zhCN, en: enUS }

/** Applies our theme and language to the component library. It wraps every page that uses its components. */
export function ComponentLibrary({ children }: PropsWithChildren) {
  const t = sharedMessages.use()
  const theme = useTheme()
  const language = useLanguage()
  return (
    <ConfigProvider
      theme={themes[theme]}
      locale={locales[language]}
      button={{ autoInsertSpace: false, loadingIcon: spinner }}
      wave={{ disabled: true }}
      renderEmpty={() => <p className={styles.nothing}>{t('nothing')}</p>}
    >
      {children}
    </ConfigProvider>
  )
}

/**
 * Hidden from screen readers, so that a button keeps its accessible name even if the library is slow to
 * remove the icon.
 */
const spinner = <span className={styles.spinner} aria-hidden="true" />
