import { useQuery } from '@tanstack/react-query'
import { setupOf, variantOf } from '@tollgate/contract/client-setup/index'
import type { Token } from '@tollgate/contract/token'
import { Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { ownModelsQuery } from '../../shared/api/own-queries.ts'
import { useOffers } from '../../shared/chat-models/offers.ts'
import { EmptyState } from '../../shared/page/empty-state.tsx'
import { ErrorState } from '../../shared/page/error-state.tsx'
import { Page } from '../../shared/page/page.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { selfQuery } from '../../shared/session/self.ts'
import { useIsAdmin } from '../../shared/session/session.ts'
import { useServerAddress } from '../../shared/session/status.ts'
import { useOwnTokens } from './api.ts'
import { Blocks } from './blocks.tsx'
import { Choices } from './choices.tsx'
import { Clients } from './clients.tsx'
import { connectMessages } from './i18n.ts'
import styles from './page.module.css'
import { connectSearchSchema } from './search.ts'
import { chosenModel, chosenToken, modelsOf } from './suggest.ts'
import { TestPanel } from './test-call/test-panel.tsx'

const NewToken = lazy(async () => ({ default: (await import('./new-token.tsx')).NewToken }))

/** Connects a client in a minute: choose it, copy its settings with the token filled in, test with one call. */
export default function ConnectPage() {
  const t = connectMessages.use()
  const tokens = useOwnTokens()
  const models = useQuery(ownModelsQuery)
  const error = tokens.error ?? models.error
  const retry = () => void Promise.all([tokens.refetch(), models.refetch()])
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      {tokens.data !== undefined && models.data !== undefined ? (
        <Connect tokens={tokens.data} ownModels={models.data} />
      ) : error === null ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <ErrorState error={error} onRetry={retry} />
      )}
    </Page>
  )
}

interface ConnectProps {
  readonly tokens: readonly Token[]
  readonly ownModels: readonly string[]
}

function Connect({ tokens, ownModels }: ConnectProps) {
  const address = useServerAddress()
  const offers = useOffers()
  const { data: self } = useQuery(selfQuery)
  const [search, setSearch] = useSearchState(connectSearchSchema)
  const [isCreating, setIsCreating] = useState(false)
  const setup = setupOf(search.client)
  const token = chosenToken(tokens, search.token)
  const models = modelsOf({ own: ownModels, offers, token, ownGroup: self?.group ?? '' })
  const model = chosenModel(models, { asked: search.model, prefers: setup.prefers })
  const variant = variantOf(setup, search.variant)
  const change = (part: Partial<typeof search>) => setSearch(part, { replace: true, keepsScroll: true })
  if (ownModels.length === 0) return <NoModels />
  return (
    <div className={styles.columns}>
      <Clients chosen={setup.id} onChoose={(client) => change({ client, variant: '' })} />
      <div className={styles.settings}>
        <Choices
          tokens={tokens}
          token={token}
          models={models}
          model={model}
          onToken={(id) => change({ token: id })}
          onModel={(name) => change({ model: name })}
          onNewToken={() => setIsCreating(true)}
        />
        <Blocks
          setup={setup}
          variantId={variant.id}
          token={token}
          address={address}
          model={model ?? 'MODEL'}
          onVariant={(id) => change({ variant: id })}
        />
        <TestPanel
          key={`${variant.dialect} ${token?.id} ${model}`}
          client={setup.label}
          address={address}
          token={token}
          dialect={variant.dialect}
          model={model}
        />
      </div>
      {isCreating && (
        <Suspense fallback={null}>
          <NewToken
            client={setup.label}
            onCreated={(id) => {
              setIsCreating(false)
              change({ token: id })
            }}
            onClose={() => setIsCreating(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function NoModels() {
  const t = connectMessages.use()
  const isAdmin = useIsAdmin()
  return (
    <EmptyState
      title={t('models.none')}
      text={isAdmin ? t('models.admin') : t('models.user')}
      action={isAdmin && <ButtonLink to={paths.channels}>{t('models.toChannels')}</ButtonLink>}
    />
  )
}
