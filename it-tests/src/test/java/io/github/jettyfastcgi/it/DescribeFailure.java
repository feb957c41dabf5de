package io.github.jettyfastcgi.it;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Prints what the servers of a test have to say when it fails. */
final class DescribeFailure implements AfterTestExecutionCallback {
    private final Supplier<String> description;

    DescribeFailure(Supplier<String> description) {
        this.description = description;
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            System.err.println(context.getDisplayName() + " failed.\n" + description.get());
        }
    }
}
