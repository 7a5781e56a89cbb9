import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import type { ColumnSettings } from './use-columns.ts'

const ColumnDialog = lazy(async () => ({ default: (await import('./column-dialog.tsx')).ColumnDialog }))

/** Place it among the actions of the page header, above the table that it configures. */
export function ColumnSettingsButton<Row>({ settings }: { readonly settings: ColumnSettings<Row> }) {
  const t = sharedMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button icon={<Icon name="columns" />} onClick={() => setIsOpen(true)}>
        {t('columns')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ColumnDialog settings={settings} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
