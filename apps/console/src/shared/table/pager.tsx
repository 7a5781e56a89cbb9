import { Button } from 'antd'
import { groupedInteger } from '../format/money.ts'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { SelectOnDemand } from '../on-demand/select-on-demand.tsx'
import { PageField } from './page-field.tsx'
import styles from './pager.module.css'
import { pageCount, pageSizes, type Paging, rangeOf } from './paging.ts'

/** Shows which rows are visible, with the controls for other pages. */
export function Pager({ paging, total }: { readonly paging: Paging; readonly total: number }) {
  const t = sharedMessages.use()
  const pages = pageCount(total, paging.pageSize)
  const { from, to } = rangeOf(paging, total)
  const range = { from: groupedInteger(from), to: groupedInteger(to), total: groupedInteger(total) }
  return (
    <nav className={styles.pager}>
      <span className="muted number">{t('paging.range', range)}</span>
      <span className="row-8">
        {paging.onPageSize !== undefined && (
          <SelectOnDemand<number>
            value={paging.pageSize}
            label={t('paging.sizeLabel')}
            onChange={paging.onPageSize}
            options={pageSizes.map((size) => ({ value: size, label: t('paging.size', { size }) }))}
          />
        )}
        <Button
          icon={<Icon name="chevronLeft" />}
          aria-label={t('paging.previous')}
          disabled={paging.page <= 1}
          onClick={() => paging.onPage(Math.min(paging.page - 1, pages))}
        />
        <span className={`${styles.page} number`}>
          {pages > 1 ? (
            <PageField page={paging.page} pages={pages} onPage={paging.onPage} />
          ) : (
            groupedInteger(paging.page)
          )}{' '}
          / {groupedInteger(pages)}
        </span>
        <Button
          icon={<Icon name="chevronRight" />}
          aria-label={t('paging.next')}
          disabled={paging.page >= pages}
          onClick={() => paging.onPage(paging.page + 1)}
        />
      </span>
    </nav>
  )
}
