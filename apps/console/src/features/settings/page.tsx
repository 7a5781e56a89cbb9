import { useBlocker } from '@tanstack/react-router'
import { settingTabs } from '@tollgate/contract/options/index'
import { Button, Skeleton, Tabs } from 'antd'
import { useCallback } from 'react'
import { confirm } from '../../shared/confirm/confirm.ts'
import { useLanguage } from '../../shared/i18n/language.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { ErrorState } from '../../shared/page/error-state.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchInput } from '../../shared/page/search-input.tsx'
import { useIsPhone } from '../../shared/page/use-is-phone.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { type StoredSettings, useSettings } from './api.ts'
import { changedKeys } from './drafts.ts'
import { FoundList } from './find/found-list.tsx'
import { HistoryDrawer } from './history/history-drawer.tsx'
import { settingMessages } from './i18n/index.ts'
import { ALL_KEYS, settingSearchSchema } from './search.ts'
import styles from './settings.module.css'
import { TabPanel } from './tab-panel.tsx'
import { tabKeys, tabOf } from './tab.ts'
import { type DraftStore, DraftProvider, useDraftStore, useDrafts } from './use-drafts.ts'

/**
 * All tabs fit beside each other on a phone, because screen readers would not read an overflow menu as part
 * of the list.
 */
const PHONE_GUTTER_PX = 14

/** The settings of the site, for super admins. */
export default function SettingsPage() {
  const t = settingMessages.use()
  const [{ q }, setSearch] = useSearchState(settingSearchSchema)
  const { data, error, refetch } = useSettings()
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <SearchInput value={q} placeholder={t('find.hint')} onSearch={(typed) => setSearch({ q: typed })} />
          <Button
            icon={<Icon name="clock" />}
            onClick={() => setSearch({ history: ALL_KEYS, p: 1 }, { keepsScroll: true })}
          >
            {t('history')}
          </Button>
        </>
      }
    >
      {data === undefined && error === null && <Skeleton active title={false} paragraph={{ rows: 14 }} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Forms stored={data} />}
    </Page>
  )
}

function Forms({ stored }: { readonly stored: StoredSettings }) {
  const [search, setSearch] = useSearchState(settingSearchSchema)
  const book = useDraftStore(stored)
  useGuard(book)
  const showHistory = useCallback(
    (key: string) => setSearch({ history: key, p: 1 }, { keepsScroll: true }),
    [setSearch],
  )
  return (
    <DraftProvider value={book}>
      {search.q === '' ? <SettingTabs onHistory={showHistory} /> : <FoundList typed={search.q} />}
      {search.history !== '' && (
        <HistoryDrawer
          key={search.history}
          settingKey={search.history}
          page={search.p}
          onPage={(p) => setSearch({ p }, { keepsScroll: true })}
          onClose={() => setSearch({ history: '', p: 1 }, { keepsScroll: true })}
        />
      )}
    </DraftProvider>
  )
}

function SettingTabs({ onHistory }: { readonly onHistory: (key: string) => void }) {
  const language = useLanguage()
  const [search, setSearch] = useSearchState(settingSearchSchema)
  const { drafts, stored } = useDrafts()
  const isPhone = useIsPhone()
  return (
    <Tabs
      className={styles.tabs}
      activeKey={tabOf(search.tab).key}
      destroyOnHidden
      tabBarGutter={isPhone ? PHONE_GUTTER_PX : undefined}
      onChange={(tab) => setSearch({ tab })}
      items={settingTabs.map((tab) => ({
        key: tab.key,
        label: (
          <span className={styles.name}>
            {tab.title[language]}
            {changedKeys(tabKeys(tab), drafts, stored).length > 0 && <span className={styles.dot} />}
          </span>
        ),
        children: <TabPanel tab={tab} onHistory={onHistory} />,
      }))}
    />
  )
}

/** Asks for confirmation before leaving the page would lose entered values. */
function useGuard({ drafts, stored }: DraftStore): void {
  const t = settingMessages.use()
  const isDirty = changedKeys([...drafts.keys()], drafts, stored).length > 0
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname &&
      !(await confirm({
        title: t('leave'),
        consequence: t('form.discardText'),
        confirmLabel: t('form.discard'),
        isDestructive: true,
      })),
  })
}
