// Why a finding is reported: when, by which thresholds, and what to do.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, getExplained } from "../api";
import type { Explained, Finding, Limit } from "../types";
import { Failure, Late } from "../views/states";
import { Words } from "../views/words";
import type { ComponentChildren } from "preact";

export function Documented({ at, children }: { at: string; children: ComponentChildren }) {
  if (!at) return <>{children}</>;
  return (
    <a href={at} target="_blank" rel="noreferrer" title="Its place in the documentation, in a new tab">
      {children}
    </a>
  );
}

/** Asked for when it is opened, and again by a press where the server was away. */
function useExplained(code: string): [Explained | null, ApiError | null, () => void] {
  const [found, setFound] = useState<Explained | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const ends = new AbortController();
    setError(null);
    getExplained(code, ends.signal).then(setFound, (reason: ApiError) => ends.signal.aborted || setError(reason));
    return () => ends.abort();
  }, [code, tries]);
  return [found, error, () => setTries(tries + 1)];
}

export function Why({ finding }: { finding: Finding }) {
  const [found, error, again] = useExplained(finding.code);
  return (
    <section class="at" data-at={finding.code} tabIndex={-1} aria-label="Why this is reported">
      <h2>Why this is reported</h2>
      <p>
        <Words text={finding.title} />
      </p>
      {error ? <Failure error={error} again={again} /> : found ? <Reasons found={found} /> : <Late text="Loading…" />}
      {finding.action && (
        <>
          <h2>What to do</h2>
          <p>
            <Words text={finding.action} />
          </p>
        </>
      )}
    </section>
  );
}

function Reasons({ found }: { found: Explained }) {
  const { code, when, unless, limits, documentation } = found;
  return (
    <>
      <dl>
        <div>
          <dt>Reported when</dt>
          <dd>
            <Words text={when} />
          </dd>
        </div>
        {unless && (
          <div>
            <dt>But not</dt>
            <dd>
              <Words text={unless} />
            </dd>
          </div>
        )}
        <div>
          <dt>Code</dt>
          <dd>
            <Documented at={documentation}>
              <code>{code}</code>
            </Documented>
            , for <code>--fail-if finding:{code}</code>
          </dd>
        </div>
      </dl>
      {limits.length > 0 && <Limits limits={limits} />}
    </>
  );
}

/** Those of the rules that say it; some decide what else these say. */
function Limits({ limits }: { limits: readonly Limit[] }) {
  return (
    <details>
      <summary>Thresholds of its rules</summary>
      <dl>
        {limits.map(({ name, value, why, source }) => (
          <div key={name}>
            <dt>
              {name}: {value}
            </dt>
            <dd>
              <Words text={why} /> <span class="soft">{source}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
