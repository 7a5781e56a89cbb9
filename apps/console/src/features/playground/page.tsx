import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { ownModelsQuery } from '../../shared/api/own-queries.ts'
import { chatModels } from '../../shared/chat-models/chat-models.ts'
import { useOffers } from '../../shared/chat-models/offers.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { PageHeader } from '../../shared/page/page-header.tsx'
import { useIsPhone } from '../../shared/page/use-is-phone.ts'
import { selfQuery } from '../../shared/session/self.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { Chat } from './chat/chat.tsx'
import { playgroundMessages } from './i18n.ts'
import { playgroundOf } from './instance.ts'
import styles from './page.module.css'
import { SettingsPanel } from './settings/settings-panel.tsx'

/** The page for trying a model: settings at the left, the conversation beside them. */
export default function PlaygroundPage() {
  const t = playgroundMessages.use()
  const isPhone = useIsPhone()
  const [isPanelOpen, setIsPanelOpen] = useState(false)
  const playground = playgroundOf(useSessionUser()?.id ?? 0)
  const { settings, conversation } = useStore(playground.store)
  const own = useQuery(ownModelsQuery)
  const offers = useOffers()
  const { data: self } = useQuery(selfQuery)
  const group = settings.group === '' ? (self?.group ?? '') : settings.group
  const models = useMemo(() => own.data && chatModels(own.data, { offers, group }), [own.data, offers, group])
  const { change } = playground

  useEffect(() => {
    const [first] = models ?? []
    if (first !== undefined && !models?.includes(settings.model)) change({ model: first })
  }, [models, settings.model, change])

  const clear = () =>
    confirm({
      title: t('clear.title'),
      consequence: t('clear.consequence'),
      confirmLabel: t('clear'),
      action: async () => playground.clear(),
    })
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        actions={
          <>
            {isPhone && (
              <Button aria-expanded={isPanelOpen} onClick={() => setIsPanelOpen(!isPanelOpen)}>
                {isPanelOpen ? t('settings.hide') : t('settings')}
              </Button>
            )}
            <Button disabled={conversation.length === 0} onClick={() => void clear()}>
              {t('clear')}
            </Button>
          </>
        }
      />
      <div className={styles.halves}>
        {(!isPhone || isPanelOpen) && (
          <SettingsPanel settings={settings} models={models} onChange={playground.change} />
        )}
        <Chat playground={playground} conversation={conversation} hasModels={models?.length !== 0} />
      </div>
    </div>
  )
}
