import {
  type BatchObservableCallback,
  type Counter,
  type Histogram,
  type MeterProvider,
  metrics,
  type Observable,
} from "@opentelemetry/api";
import { bucketBounds, type Metric, type MetricKind } from "./metric-table.ts";

type Table = Readonly<Record<string, Metric>>;

/** The names of a table's metrics of some kinds. */
type NamesOf<Of extends Table, Kind extends MetricKind> = {
  [Name in keyof Of]: Of[Name]["kind"] extends Kind ? Name : never;
}[keyof Of] &
  string;

/** A value for each attribute of a metric, which may be absent where there is nothing to say. */
type AttributesOf<Of extends Metric> = { readonly [Name in Of["attributes"][number]]?: string | number | undefined };

/** Tells a figure that was looked up. */
export type Observe<Of extends Table> = <Name extends NamesOf<Of, "gauge" | "observed counter">>(
  name: Name,
  value: number,
  attributes?: AttributesOf<Of[Name]>,
) => void;

interface Made {
  readonly counters: Map<string, Counter>;
  readonly histograms: Map<string, Histogram>;
}

/**
 * The instruments of a table of metrics: what is not in the table cannot be told. They are made when they are first used, for each
 * provider anew, as a program may register its own after this module was loaded. Without one they cost nothing worth measuring.
 */
export class MetricInstruments<Of extends Table> {
  readonly #scope: string;
  readonly #table: Of;
  readonly #made = new WeakMap<MeterProvider, Made>();

  /** @param scope names the package that tells them, such as `@loci/engine` */
  constructor(scope: string, table: Of) {
    this.#scope = scope;
    this.#table = table;
  }

  /** Adds to a counter. */
  add<Name extends NamesOf<Of, "counter">>(name: Name, amount: number, attributes?: AttributesOf<Of[Name]>): void {
    const { counters } = this.#current();
    let counter = counters.get(name);
    if (counter === undefined) {
      counter = this.#meter().createCounter(name, this.#optionsOf(name));
      counters.set(name, counter);
    }
    counter.add(amount, attributes);
  }

  /** Notes one value of a histogram. */
  record<Name extends NamesOf<Of, "histogram">>(name: Name, value: number, attributes?: AttributesOf<Of[Name]>): void {
    const { histograms } = this.#current();
    let histogram = histograms.get(name);
    if (histogram === undefined) {
      histogram = this.#meter().createHistogram(name, this.#optionsOf(name));
      histograms.set(name, histogram);
    }
    histogram.record(value, attributes);
  }

  /**
   * Has figures looked up whenever somebody collects, until the answer is called.
   *
   * @param look one that rejects leaves out what it has not told by then
   */
  observe(
    names: readonly NamesOf<Of, "gauge" | "observed counter">[],
    look: (observe: Observe<Of>) => void | Promise<void>,
  ): () => void {
    const meter = this.#meter();
    const observables = new Map<string, Observable>(
      names.map((name) => [
        name,
        this.#table[name]?.kind === "gauge"
          ? meter.createObservableGauge(name, this.#optionsOf(name))
          : meter.createObservableCounter(name, this.#optionsOf(name)),
      ]),
    );
    const callback: BatchObservableCallback = (result) =>
      look((name, value, attributes) => {
        const observable = observables.get(name);
        if (observable !== undefined) result.observe(observable, value, attributes);
      });
    meter.addBatchObservableCallback(callback, [...observables.values()]);
    return () => meter.removeBatchObservableCallback(callback, [...observables.values()]);
  }

  #current(): Made {
    const provider = metrics.getMeterProvider();
    let made = this.#made.get(provider);
    if (made === undefined) {
      made = { counters: new Map(), histograms: new Map() };
      this.#made.set(provider, made);
    }
    return made;
  }

  #meter(): ReturnType<typeof metrics.getMeter> {
    return metrics.getMeter(this.#scope);
  }

  #optionsOf(name: string): { unit: string; description: string; advice?: { explicitBucketBoundaries: number[] } } {
    const { unit, meaning: description, buckets } = this.#table[name] as Metric;
    return { unit, description, ...(buckets && { advice: { explicitBucketBoundaries: [...bucketBounds[buckets]] } }) };
  }
}
