package io.queen.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceHeadersTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

    private final TraceHeaders headers =
            new TraceHeaders(SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault()));

    @Test
    void headers_none_tellOfTheSpan() {
        assertThat(headers.addTo(null)).isEqualTo("{\"traceparent\":\"" + PARENT + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":\"b\"}", "{}", " { } ", "{\"a\":\"the word traceparent\"}"})
    void headers_ofOtherThings_tellOfTheSpanToo(String others) {
        JsonObject all = new JsonObject(headers.addTo(others));
        assertThat(all.remove("traceparent")).isEqualTo(PARENT);
        assertThat(all).isEqualTo(new JsonObject(others));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"traceparent\":\"nonsense\"}", "{\"traceparent\":\"\",\"a\":\"b\"}"})
    void headers_ofATrace_stayAsTheyAre(String others) {
        assertThat(headers.addTo(others)).isEqualTo(others);
        assertThat(TraceHeaders.read(others).isValid()).isFalse();
    }

    @Test
    void state_ofTheTrace_comesBackAsItWas() {
        TraceState state = TraceState.builder().put("vendor", "\"x\\y").build();
        TraceHeaders told = new TraceHeaders(SpanContext.create(TRACE, SPAN, TraceFlags.getDefault(), state));

        SpanContext read = TraceHeaders.read(told.addTo("{\"a\":\"b\"}"));
        assertThat(read.getTraceId()).isEqualTo(TRACE);
        assertThat(read.getSpanId()).isEqualTo(SPAN);
        assertThat(read.isSampled()).isFalse();
        assertThat(read.getTraceState().get("vendor")).isEqualTo("\"x\\y");
    }

    @Test
    void span_ofHeadersWithout_isNotValid() {
        assertThat(TraceHeaders.read(null).isValid()).isFalse();
        assertThat(TraceHeaders.read("{\"a\":\"b\"}").isValid()).isFalse();
    }
}
